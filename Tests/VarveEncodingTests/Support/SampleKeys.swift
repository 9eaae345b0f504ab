import VarveEncoding

// The rows of most tests are those of object 2 of class 1, and the nodes have id 4 in list 3.

let sampleNodeKey = ListNodeKey(listID: 3, nodeID: 4)

extension RowBuffer {
  func finish() -> UnsafeRawBufferPointer { finish(classID: 1, objectID: 2) }

  func finish<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try finish(classID: 1, objectID: 2, body)
  }
}

extension RowReader {
  func verifyChecksum() throws(FormatError) { try verifyChecksum(classID: 1, objectID: 2) }
}

extension ListLeafBuffer {
  func finish<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try finish(sampleNodeKey, body)
  }
}

extension ListInnerBuffer {
  func finish<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try finish(sampleNodeKey, body)
  }
}

extension ListNode {
  static func verifyChecksum(_ bytes: UnsafeRawBufferPointer) throws(FormatError) {
    try verifyChecksum(bytes, sampleNodeKey)
  }
}
