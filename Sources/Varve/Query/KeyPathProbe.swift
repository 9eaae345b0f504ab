import Foundation
import VarveEncoding

/// Determines the persisted property, or the chain of to-one links that ends in one, that a key
/// path refers to.
///
/// Swift does not expose the components of a key path. The probe therefore evaluates the key path
/// several times on an object that records its reads and returns sample values for them. The key
/// path refers to a property when it reads only that property and returns each of the sample values
/// unchanged. A computed property that forwards to a persisted property passes as that property.
struct KeyPathProbe<Root: ObjectBase, V: _Persistable> {
  let keyPath: KeyPath<Root, V>

  /// The result of the analysis.
  enum Outcome {
    case property([String])
    /// Not a persisted property. Contains the names of the properties that the key path reads, and
    /// whether it would be valid with `?` instead of `!`.
    case other(reads: [String], isUnwrapped: Bool)
  }

  /// Evaluates the key path and classifies it.
  ///
  /// - Complexity: about a dozen evaluations of the key path.
  func outcome() -> Outcome {
    let (recorder, value) = evaluate(nil)
    let reads = recorder.reads
    let names = reads.map(\.name)
    guard recorder.isChain, let last = reads.last, reads.dropLast().allSatisfy(\.isToOneLink) else {
      return .other(reads: names, isUnwrapped: false)
    }
    guard V.self == (reads.count == 1 ? last.valueType : last.chainedType) else {
      return .other(reads: names, isUnwrapped: reads.count > 1 && V.self == last.valueType)
    }
    let isSame =
      last.type.kind.collection == .none
      ? givesValues(of: last, at: reads.count - 1) && givesNullAfterNull(reads.count)
      : isHandle(value, of: last)
    return isSame ? .property(names) : .other(reads: names, isUnwrapped: false)
  }

  /// Whether the key path returns one more sample of a property without links before it.
  func givesSample(of property: PropertyDescriptor) -> Bool {
    let sample =
      property.type.kind.type == .string
      ? Value.string(UUID().uuidString) : .data(Data(UUID().uuidString.utf8))
    let (recorder, value) = evaluate((0, _Boxed(sample)))
    return recorder.reads.map(\.name) == [property.name]
      && value._$boxed.value == sample
  }

  private func evaluate(
    _ answer: (index: Int, box: _Boxed)?
  ) -> (recorder: _KeyPathRecorder, value: V) {
    let recorder = _KeyPathRecorder(answer: answer)
    let object = Root()
    object.recorder = recorder
    return (recorder, object[keyPath: keyPath])
  }

  /// Whether the key path returns the value of its last read.
  private func givesValues(of property: PropertyDescriptor, at index: Int) -> Bool {
    if property.isToOneLink {
      let (recorder, value) = evaluate(nil)
      guard let object = value._$boxed.object, object === recorder.lastObject else { return false }
      return evaluate((index, .null)).value._$boxed.isNull
    }
    return property.type.samples.allSatisfy { sample in
      evaluate((index, _Boxed(sample))).value._$boxed.value == sample
    }
  }

  /// Whether the key path is null when a link in its chain is null.
  private func givesNullAfterNull(_ count: Int) -> Bool {
    (0..<count - 1).allSatisfy { index in
      let (recorder, value) = evaluate((index, .null))
      return recorder.reads.count == index + 1 && value._$boxed.isNull
    }
  }

  /// Whether the value is a collection. A key path can only pass on the collection of the object,
  /// so that its contents need no check.
  private func isHandle(_ value: V, of property: PropertyDescriptor) -> Bool {
    property.originProperty != nil || value is any _AnyCollection
  }
}

extension PropertyDescriptor {
  fileprivate var isToOneLink: Bool {
    type.kind.type == .link && type.kind.collection == .none && originProperty == nil
  }
}

extension _PropertyType {
  /// Sample values that few functions other than the identity leave unchanged: all values of a
  /// small type, otherwise extreme values, ordinary values and a random value.
  fileprivate var samples: [Value] {
    (kind.isNullable ? [.null] : []) + (valueSamples?() ?? kind.type.samples)
  }
}

extension VarveEncoding.PropertyType {
  var samples: [Value] {
    switch self {
    case .bool: [.bool(false), .bool(true)]
    case .int8: Self.integers(Int8.self)
    case .int16: Self.integers(Int16.self)
    case .int32: Self.integers(Int32.self)
    case .int64: Self.integers(Int64.self)
    case .float: [0, 1.5, -2, .infinity, .nan, Float.random(in: -1e6..<1e6)].map(Value.float)
    case .double: [0, 1.5, -2, .infinity, .nan, Double.random(in: -1e9..<1e9)].map(Value.double)
    case .string:
      [
        "", " aB\t", "ÉE\u{301}\n", UUID().uuidString,
        String(repeating: "x", count: Self.longCount),
      ]
      .map(Value.string)
    case .data:
      [Data(), Data(UUID().uuidString.utf8), Data(repeating: 7, count: Self.longCount)]
        .map(Value.data)
    case .date:
      [0, -1e9, Double.random(in: 0..<1e9)].map { .date(Date(timeIntervalSince1970: $0)) }
    case .uuid:
      [.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))), .uuid(UUID())]
    case .objectId: [.objectId(.zero), .objectId(ObjectId.generate().bytes)]
    case .mixed: [.null, .bool(true), .int(.random(in: 0..<1_000_000)), .string(" aB\t")]
    case .decimal128:
      ["0", "1.50", "-2E+40", "NaN"].compactMap { Decimal128Bits($0) }.map(Value.decimal)
    case .link: []
    }
  }

  /// A length that few functions other than the identity leave unchanged: previews and limits of
  /// fields are shorter.
  private static var longCount: Int { 1_100_000 }

  private static func integers<T: FixedWidthInteger>(_ type: T.Type) -> [Value] {
    [0, 1, -1, 2, 100, T.min, T.max, T.random(in: .min ... .max)].map { .int(Int64($0)) }
  }
}
