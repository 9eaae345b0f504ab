extension Realm {
  /// The progress of a copy of a file.
  public struct CopyProgress: Sendable, Hashable {
    /// The number of bytes written so far.
    public let completedBytes: Int

    /// The number of bytes that the finished copy has.
    public let totalBytes: Int

    /// The fraction that is written, from 0 to 1.
    public var fractionCompleted: Double {
      totalBytes == 0 ? 1 : Double(completedBytes) / Double(totalBytes)
    }
  }
}
