extension Realm {
  /// How far the copy of a file has come.
  ///
  /// Thread safety: a value.
  public struct CopyProgress: Sendable, Hashable {
    /// How many bytes are written.
    public let completedBytes: Int

    /// How many bytes the copy will have.
    public let totalBytes: Int

    /// The part that is written: from 0 to 1.
    public var fractionCompleted: Double {
      totalBytes == 0 ? 1 : Double(completedBytes) / Double(totalBytes)
    }
  }
}
