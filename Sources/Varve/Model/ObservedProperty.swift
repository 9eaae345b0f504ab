/// The value of an observed property in the bodies of its `willSet` and `didSet`. Used by generated
/// code.
public struct _ObservedProperty<V: _Persistable> {
  private let object: ObjectBase
  private let slot: Int

  /// Creates the value. `like` determines the type.
  public init(_ object: ObjectBase, _ slot: Int, _ like: V) {
    self.object = object
    self.slot = slot
  }

  /// The value.
  public var value: V {
    get { object._$get(slot) }
    nonmutating set { object._$set(slot, newValue) }
  }
}
