import VarveCore

/// Which object a handle stands for.
enum ObjectIdentity: Hashable {
  case unmanaged(ObjectIdentifier)
  case row(store: ObjectIdentifier, className: String, id: UInt64)

  init(_ object: ObjectBase) {
    if let context = object.cell.context {
      self = .row(
        store: ObjectIdentifier(context.store), className: object.info.name, id: object.cell.id)
    } else {
      self = .unmanaged(ObjectIdentifier(object))
    }
  }
}
