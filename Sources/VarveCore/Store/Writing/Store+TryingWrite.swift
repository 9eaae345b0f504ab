import VarveStorage

extension Store {
  /// Begins a write on the writer thread, and rolls it back.
  ///
  /// - Parameter timeout: The longest wait for other writes.
  /// - Throws: The errors of beginning a write. `.busy` after the timeout, with the process that
  ///   writes.
  package func tryWrite(within timeout: Duration) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await self.asyncWrite(view: nil, grouping: false) { $0.cancel() }
        return true
      }
      group.addTask {
        try await Task.sleep(for: timeout)
        return false
      }
      defer { group.cancelAll() }
      guard try await group.next() == true else { throw self.longWriteFailure }
    }
  }

  private var longWriteFailure: Failure {
    var failure = Failure(.busy, "Another write has not ended in time.", path: options.path)
    let owner = environment.writingProcess
    failure.processID = owner?.pid
    failure.since = owner?.since
    return failure
  }
}
