/// The value of an observed property, for the bodies of its `willSet` and `didSet`; generated code uses
/// it.
public struct _ObservedProperty<V: _Persistable> {
  private let object: ObjectBase
  private let slot: Int

  /// `like`: fixes the type.
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
