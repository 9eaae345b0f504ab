extension ClassBinding {
  /// Whether the handles of a context may refer to this binding.
  ///
  /// Of a write that is rolled back only handles with its token may: they are invalid then. The ids that it
  /// gave to layouts and properties are given again, to others.
  func mayBeKept(in context: ReadContext) -> Bool {
    token == nil || context.token != nil || token?.state == .committed
  }
}
