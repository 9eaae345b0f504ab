import SwiftSyntax

/// The override that lists the properties of a class, inherited properties first.
enum SchemaMethod {
  static func declaration(
    of members: [PersistedMember], in model: ModelClass, superclass: String
  ) -> DeclSyntax {
    let access = model.isOpen ? "open " : model.access
    let appends = PersistedMember.lines(members) { property in
      let slot = "_$Slot.\(property.slotCase)._$i"
      return "  _$all.append(\(property.descriptor(slot: slot, in: model)))"
    }
    // A key path to a deprecated property causes a warning, except in a declaration that is itself
    // deprecated.
    let isDeprecated = PersistedMember.properties(members, conditional: true)
      .contains { $0.declaration.attributes.isDeprecated }
    let attribute = isDeprecated ? "@available(*, deprecated)\n" : ""
    // The reservation also prevents a warning about `var` when every `#if` is inactive.
    return DeclSyntax(
      text: """
        \(attribute)\(access)override class func _$properties() -> [Varve.PropertyDescriptor] {
          var _$all = Varve._$propertyList(\(superclass).self)
          _$all.reserveCapacity(_$Slot._$end._$i)
        \(appends)  return _$all
        }
        """)
  }
}
