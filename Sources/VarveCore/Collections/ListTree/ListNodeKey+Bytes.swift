import VarveEncoding

extension ListNodeKey {
  /// Lends the bytes of the key, which are made on the stack.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: (listID.bigEndian, nodeID.bigEndian), body)
  }
}
