extension ClassBinding {
  /// Whether the handles of a context may retain this binding.
  ///
  /// A binding of a write that is rolled back may be retained only by handles with the transaction
  /// outcome of that write, which are then invalid. The layout and property ids that the write
  /// assigned are assigned again by later writes.
  func mayBeKept(in context: ReadContext) -> Bool {
    outcome == nil || context.outcome != nil || outcome?.state == .committed
  }
}
