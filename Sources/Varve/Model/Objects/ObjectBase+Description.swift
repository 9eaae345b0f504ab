import VarveCore
import VarveEncoding

extension ObjectBase: CustomStringConvertible {
  /// The class and its properties. Links appear as their class, and collections as their type and
  /// count.
  public var description: String {
    let info = info
    if handle.isManaged, !handle.exists { return "\(info.name) (invalidated)" }
    let lines = info.properties.map { property in
      "  \(property.name) = \(text(of: property))"
    }
    return "\(info.name) {\n" + lines.joined(separator: "\n") + "\n}"
  }

  private func text(of property: PropertyDescriptor) -> String {
    switch property.read(self, property.slot).content {
    case .value(let value): value.text
    case .object(let object): object.info.name
    case .collection(let collection) where property.type.kind.collection == .none:
      collection.summary
    case .collection(let collection):
      "\(property.type.kind.typeName(target: property.type.targetName)) (\(collection.count))"
    case .unset:
      "LinkingObjects<\(property.type.targetName ?? "Object")> "
        + "(\(linkingObjects(property.slot)?.count ?? 0))"
    }
  }
}
