import VarveEncoding
import VarveStorage

/// The blocks of a word, or of all words with a prefix.
///
/// The blocks are in the memory of the reader: valid while a snapshot exists, or until the next
/// write of a transaction.
struct TermBlocks {
  private var blocks: [PostingBlock] = []
  /// The end of the blocks of each word.
  private var wordEnds: [Int] = []
  /// The number of postings.
  private(set) var postingCount = 0

  /// - Throws: `.corrupted` for a damaged entry.
  /// - Complexity: O(blocks), of which only the numbers of postings are read.
  init(
    _ index: FullTextIndex, _ term: FullTextQuery.Term, _ reader: any TableReader
  ) throws(Failure) {
    var last = UnsafeRawBufferPointer(start: nil, count: 0)
    var cursor = index.span(term).cursor(reader)
    while cursor.advance() {
      do throws(FormatError) {
        let (word, firstID) = try PostingKey.decodeBlock(cursor.key)
        let block = try PostingBlock(firstID: firstID, validating: cursor.value)
        if let previous = blocks.last {
          if term.isPrefix, !ByteOrder.areEqual(last, word) {
            wordEnds.append(blocks.count)
          } else if previous.firstID >= firstID {
            throw FormatError(.badValue, "blocks are out of order")
          }
        }
        last = word
        blocks.append(block)
        postingCount += block.count
      } catch {
        throw Failure(error, message: "An index entry is damaged.")
      }
    }
    if !blocks.isEmpty { wordEnds.append(blocks.count) }
  }

  /// All postings, ascending. Those of several words of a text are added up.
  ///
  /// - Throws: `.corrupted` for a damaged block.
  /// - Complexity: O(postings); O(n log n) for several words.
  func postings() throws(Failure) -> [Posting] {
    var postings: [Posting] = []
    postings.reserveCapacity(postingCount)
    var start = 0
    for end in wordEnds {
      for index in start..<end {
        if index > start, let last = postings.last, last.id >= blocks[index].firstID {
          throw Failure(.corrupted, "An index entry is damaged.", details: ["blocks overlap"])
        }
        try blocks[index].read(into: &postings)
      }
      start = end
    }
    return wordEnds.count > 1 ? Self.added(postings) : postings
  }

  private static func added(_ postings: [Posting]) -> [Posting] {
    let sorted = postings.sorted { $0.id < $1.id }
    var result: [Posting] = []
    result.reserveCapacity(sorted.count)
    for posting in sorted {
      if let last = result.last, last.id == posting.id {
        let (sum, overflows) = last.count.addingReportingOverflow(posting.count)
        result[result.count - 1].count = overflows ? .max : sum
      } else {
        result.append(posting)
      }
    }
    return result
  }

  /// The number of occurrences in each of some objects, which are ascending.
  ///
  /// - Throws: `.corrupted` for a damaged block.
  /// - Complexity: O(objects and blocks of each word), and the postings of the blocks that may
  ///   contain one of the objects.
  func counts(in objects: [UInt64]) throws(Failure) -> [Int] {
    var counts = [Int](repeating: 0, count: objects.count)
    var postings: [Posting] = []
    var start = 0
    for end in wordEnds {
      var object = 0
      for index in start..<end {
        let bound = index + 1 < end ? blocks[index + 1].firstID : nil
        while object < objects.count, objects[object] < blocks[index].firstID { object += 1 }
        guard object < objects.count else { break }
        if let bound, objects[object] >= bound { continue }
        postings.removeAll(keepingCapacity: true)
        try blocks[index].read(into: &postings)
        var next = 0
        while object < objects.count, bound.map({ objects[object] < $0 }) ?? true {
          while next < postings.count, postings[next].id < objects[object] { next += 1 }
          guard next < postings.count else { break }
          if postings[next].id == objects[object] { counts[object] += Int(postings[next].count) }
          object += 1
        }
      }
      start = end
    }
    return counts
  }
}

/// The texts that contain a term: those in blocks, corrected by the pending texts.
struct TermPostings {
  let term: FullTextQuery.Term
  /// The position of the term in `pending`.
  let position: Int
  let blocks: TermBlocks
  let pending: PendingMatches

  /// An upper bound for the number of texts. 0 only if there are none.
  var greatestCount: Int { blocks.postingCount + pending.postings[position].count }

  /// The texts, ascending.
  func postings() throws(Failure) -> [Posting] {
    pending.replacingOutdated(try blocks.postings(), position: position)
  }

  /// The number of occurrences in each of some objects, which are ascending, and the number of all
  /// texts with the term.
  func counts(in objects: [UInt64]) throws(Failure) -> (counts: [Int], total: Int) {
    if term.isPrefix {
      // Only the postings themselves show which texts contain several of the words.
      let all = try postings()
      return (Self.counts(all, in: objects), all.count)
    }
    var counts = try blocks.counts(in: objects)
    pending.replaceOutdated(&counts, in: objects, position: position)
    return (counts, greatestCount - pending.removedCounts[position])
  }

  private static func counts(_ postings: [Posting], in objects: [UInt64]) -> [Int] {
    var next = 0
    return objects.map { id in
      while next < postings.count, postings[next].id < id { next += 1 }
      return next < postings.count && postings[next].id == id ? Int(postings[next].count) : 0
    }
  }
}
