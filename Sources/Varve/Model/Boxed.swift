import Foundation
package import VarveCore
package import VarveEncoding

/// A value of a model property or a collection element, without its static type.
///
/// Generated code and conformances pass it on. It has no members for users.
public struct _Boxed: Sendable {
  package enum Content: Sendable {
    /// Not set yet; reads as the default.
    case unset
    case value(Value)
    case object(ObjectBase)
    case collection(any _AnyCollection)
  }

  package var content: Content

  package init(_ content: Content) { self.content = content }
  package init(_ value: Value) { content = .value(value) }
  // For the integers of models, in generic code that programs specialize for their types.
  @usableFromInline init(integer: Int64) { content = .value(.int(integer)) }
  @usableFromInline var integer: Int64? {
    if case .value(.int(let integer)) = content { integer } else { nil }
  }

  /// Converts elements to boxes.
  static func boxes<Element: RealmCollectionValue>(_ elements: [Element]) -> [_Boxed] {
    var boxes: [_Boxed] = []
    boxes.reserveCapacity(elements.count)
    for element in elements { boxes.append(element._$boxed) }
    return boxes
  }

  package static let unset = _Boxed(.unset)
  package static let null = _Boxed(.value(.null))

  /// The value, unless this is an object or a collection.
  package var value: Value? {
    if case .value(let value) = content { value } else { nil }
  }

  package var object: ObjectBase? {
    if case .object(let object) = content { object } else { nil }
  }

  package var isNull: Bool {
    if case .value(.null) = content { true } else { false }
  }
}

/// The source of a value: the context that objects created from the value belong to.
public struct _ReadSource: Sendable {
  /// The property that contains a mixed value.
  package struct Property: Sendable {
    package let binding: ClassBinding
    package let ownerID: UInt64
    package let slot: Int
  }

  package let context: ReadContext
  /// The property of a mixed value, to which nested collections are attached; nil for other values.
  package let property: Property?

  package init(_ context: ReadContext, property: Property? = nil) {
    self.context = context
    self.property = property
  }
}

extension CollectionHandle {
  /// The source of the elements; nil for an unmanaged collection.
  var readSource: _ReadSource? {
    guard let context else { return nil }
    guard traits.isMixed else { return _ReadSource(context) }
    return _ReadSource(
      context, property: _ReadSource.Property(binding: owner.binding, ownerID: owner.id, slot: slot)
    )
  }
}
