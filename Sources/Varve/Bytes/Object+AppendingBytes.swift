public import Foundation
import VarveCore

extension RealmCollectionValue where Self: ObjectBase {
  /// Appends bytes to a property of type `Data`, at the cost of what is appended.
  ///
  /// ```swift
  /// try realm.write {
  ///   while let part = try file.read(upToCount: 1 << 20) { photo.append(part, to: \.content) }
  /// }
  /// ```
  ///
  /// The stored bytes are neither read nor written again, but for up to 64 KiB at their end. An
  /// assignment of a longer value, as by `photo.content.append(part)`, reads and writes all of them.
  /// The frozen objects of earlier versions keep the shorter value. Observers are notified as of an
  /// assignment; `willSet` and `didSet` of a managed object's property are not called.
  ///
  /// A transaction keeps the pages that it has changed in memory until it commits. A value that is
  /// appended in several transactions needs less memory, and is visible in parts.
  ///
  /// Appending to a property with an index, or of a class with compound indexes, has the cost of an
  /// assignment, as the entries of an index contain the whole value.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, such as `Data` or `[UInt8]`. Appending none is recorded as setting the
  ///     property to its current value is.
  ///   - property: The key path of a persisted property of the object itself. Any other key path
  ///     traps.
  /// - Precondition: A managed object is changed inside a write, as by an assignment. More than 1 GiB
  ///   in all makes the write fail with `.valueTooLarge`.
  /// - Complexity: O(bytes), and O(log n), where n is the number of stored chunks.
  public func append(
    _ bytes: some ContiguousBytes, to property: ReferenceWritableKeyPath<Self, Data>
  ) {
    bytes.withUnsafeBytes { append($0, to: property, \.self) }
  }

  /// Appends bytes to an optional property of type `Data`, which become its value if it is nil.
  /// See `append(_:to:)` for a property that is not optional.
  public func append(
    _ bytes: some ContiguousBytes, to property: ReferenceWritableKeyPath<Self, Data?>
  ) {
    bytes.withUnsafeBytes { append($0, to: property, \.orEmpty) }
  }

  /// Appends lent bytes to a property of type `Data`, as `append(_:to:)` does with other bytes.
  public func append(_ bytes: RawSpan, to property: ReferenceWritableKeyPath<Self, Data>) {
    bytes.withUnsafeBytes { append($0, to: property, \.self) }
  }

  /// Appends lent bytes to an optional property of type `Data`, which become its value if it is nil.
  /// See `append(_:to:)` for a property that is not optional.
  public func append(_ bytes: RawSpan, to property: ReferenceWritableKeyPath<Self, Data?>) {
    bytes.withUnsafeBytes { append($0, to: property, \.orEmpty) }
  }

  private func append<Value>(
    _ bytes: UnsafeRawBufferPointer, to property: ReferenceWritableKeyPath<Self, Value>,
    _ data: WritableKeyPath<Value, Data>
  ) {
    let slot = ClassInfo.bytesSlot(of: property)
    guard handle.isManaged else {
      return self[keyPath: property][keyPath: data].append(contentsOf: bytes)
    }
    handle.append(slot, bytes)
  }
}

extension Data? {
  /// The data; empty for nil.
  fileprivate var orEmpty: Data {
    get { self ?? Data() }
    set { self = newValue }
  }
}
