import SwiftSyntax
import SwiftSyntaxMacros

/// The nested enumeration that numbers the properties which a class adds to those of its
/// superclass.
enum SlotEnumeration {
  /// Generates the enumeration.
  ///
  /// A superclass without `@Model` has no enumeration of its own. Name lookup then finds that of a
  /// class further up, whose owner is another class, and the base is read from the schema at run
  /// time.
  static func declaration(
    of members: [PersistedMember],
    in model: ModelClass,
    superclass: String,
    context: some MacroExpansionContext
  ) -> DeclSyntax {
    let access = model.access
    let inlinable = isVisibleOutside(model, context) ? "@inlinable " : ""
    let cases = PersistedMember.lines(members) { "  case \($0.slotCase)" }
    return DeclSyntax(
      text: """
        \(access)nonisolated enum _$Slot: Swift.Int, Varve._SlotEnum {
        \(cases)  case _$end
          \(inlinable)\(access)static var _$owner: Varve.ObjectBase.Type { \(model.name).self }
          \(inlinable)\(access)static var _$base: Swift.Int {
            Varve._$slotBase(\(superclass).self, \(superclass)._$Slot._$owner, \(superclass)._$Slot._$end._$i)
          }
        }
        """)
  }

  /// Whether `@inlinable` is allowed. It is not allowed in a public class that is nested in an
  /// internal type.
  private static func isVisibleOutside(
    _ model: ModelClass, _ context: some MacroExpansionContext
  ) -> Bool {
    guard !model.access.isEmpty else { return false }
    return context.lexicalContext.allSatisfy { scope in
      guard !scope.is(ExtensionDeclSyntax.self),
        let modifiers = scope.asProtocol((any WithModifiersSyntax).self)?.modifiers
      else { return false }
      return modifiers.contains {
        [.keyword(.public), .keyword(.open), .keyword(.package)].contains($0.name.tokenKind)
      }
    }
  }
}
