import VarveEncoding

extension ListNodeKey {
  /// Calls a closure with the bytes of the key, which are on the stack.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: (listID.bigEndian, nodeID.bigEndian), body)
  }
}
