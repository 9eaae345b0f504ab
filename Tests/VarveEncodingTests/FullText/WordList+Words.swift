import VarveEncoding

extension WordList {
  /// Counts words of up to 64 bytes without a zero byte, in any order.
  init(_ words: [String]) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    for word in words {
      bytes += Array(word.utf8)
      ends.append(bytes.count)
    }
    self.init(bytes: bytes, ends: ends)
  }

  /// The words, with their numbers of occurrences.
  var all: [(word: String, count: UInt32)] {
    var all: [(word: String, count: UInt32)] = []
    forEach { all.append((String(decoding: $0, as: UTF8.self), $1)) }
    return all
  }
}
