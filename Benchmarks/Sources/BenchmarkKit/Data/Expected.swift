import Foundation

/// The correct answers.
enum Expected {
  static func ages(_ count: Int) -> Checksum {
    var checksum = Checksum()
    for id in 0..<count { checksum.add(Person(id: id).age) }
    return checksum
  }

  static func updatedAges(_ count: Int) -> Checksum {
    var checksum = Checksum()
    for id in 0..<count { checksum.add(Person.updated(id: id).age) }
    return checksum
  }

  static func persons(_ ids: [Int]) -> Checksum {
    var checksum = Checksum()
    for id in ids { checksum.add(Person(id: id)) }
    return checksum
  }

  /// The checksum of elements, or of the values of keys, in order.
  static func list(_ elements: [Int]) -> Checksum {
    elements.reduce(into: Checksum()) { $0.add(next: $1) }
  }

  static func map(_ count: Int) -> Checksum {
    var checksum = Checksum()
    for (value, key) in Inputs.keys(count).enumerated() { checksum.add(key: key, value: value) }
    return checksum
  }

  static func blobs(_ ids: some Sequence<Int>) -> Checksum {
    Blob.noise.withUnsafeBytes { noise in
      ids.reduce(into: Checksum()) {
        $0.add(blob: UnsafeRawBufferPointer(rebasing: noise[Blob.range($1)]))
      }
    }
  }

  /// The checksum of all bytes of blobs.
  static func sums(_ ids: [Int]) -> Checksum {
    Blob.noise.withUnsafeBytes { noise in
      ids.reduce(into: Checksum()) {
        $0.add(allOf: UnsafeRawBufferPointer(rebasing: noise[Blob.range($1)]))
      }
    }
  }

  /// A blob after an addition for each time that its id occurs.
  static func blob(_ id: Int, appended ids: [Int]) -> Data {
    let times = ids.count { $0 == id }
    return (0..<times).reduce(into: Blob.content(id)) { content, _ in
      content.append(Blob.addition(id))
    }
  }

  /// The checksum of the first blobs, after an addition to each of the given ones.
  static func blobs(_ count: Int, appended ids: [Int]) -> Checksum {
    var times = [Int](repeating: 0, count: count)
    for id in ids { times[id] += 1 }
    return times.enumerated().reduce(into: Checksum()) { checksum, each in
      checksum.add(blob: Blob.content(each.offset))
      guard each.element > 0, let last = Blob.addition(each.offset).last else { return }
      checksum.bytes += 4096 * each.element
      let oldLast = Blob.content(each.offset).last ?? 0
      checksum.integers += Int(last) - Int(oldLast)
    }
  }

  static func documents(_ count: Int, revised ids: [Int], isGrown: Bool = false) -> Checksum {
    let revised = Set(ids)
    return (0..<count).reduce(into: Checksum()) { checksum, id in
      var document = Document(id: id)
      if revised.contains(id) { document.revise() }
      if isGrown { document.grow() }
      checksum.add(document.digest)
    }
  }

  /// The sum of the revisions of documents that have been revised once.
  static func sumOfRevisions(_ ids: [Int], beginningWith prefix: String = "") -> Int {
    ids.count { Document.title($0).hasPrefix(prefix) }
  }
}
