import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin that expands `@Model` and `@Persisted`.
@main
struct VarveMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [ModelMacro.self, PersistedMacro.self]
}
