/// Whether a declared default is an object, or a collection with elements, which no class record can
/// contain. It is evaluated when that is first asked.
///
/// Thread safety: any thread may use it. The default runs code of the model, under no lock.
package final class ContentDefault: Sendable {
  private let evaluation: ModelEvaluation<Bool>

  package init(_ evaluate: @escaping @Sendable () -> Bool) {
    evaluation = ModelEvaluation(nested: false, evaluate)
  }

  /// Whether the default is an object, or a collection with elements. False for the default itself,
  /// which may open a realm and so compare its own class.
  package var hasContent: Bool { evaluation.result }
}
