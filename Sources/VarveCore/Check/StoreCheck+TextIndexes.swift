import VarveEncoding
import VarveStorage

/// Full-text indexes. The words of the texts are compared, each with its object and its number of
/// occurrences, not the blocks and pending texts that contain them.
extension StoreCheck {
  /// Verifies that a full-text index contains the words of a text.
  mutating func checkWords(
    of text: Value, _ indexID: UInt32, _ id: UInt64, _ location: String
  ) {
    let words = FullText.words(of: text)
    guard isExact else {
      words.forEach { word, count in
        encodeWord(indexID, word, id, count: count)
        required.indexes.insert(key, entry)
      }
      return
    }
    neededClassEntries[indexID, default: 0] += words.count
    let pending = pendingText(indexID, id)
    words.forEach { word, count in
      let found =
        pending.map { (try? $0.find(word).count) ?? 0 }
        ?? Int(storedCount(indexID, word, id) ?? 0)
      if found != Int(count) {
        note(
          .missingIndexEntry, location,
          "the word \"\(String(decoding: word, as: UTF8.self))\": \(count), counted \(found)")
      }
    }
  }

  /// Reads an entry of `indexes` if it belongs to a full-text index.
  ///
  /// - Returns: Whether it does.
  mutating func readTextEntry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Bool {
    guard let id = PostingKey.indexID(of: key), id != plainIndexID else { return false }
    if textIndex?.indexID != id {
      finishTextIndex()
      guard schema.hasTextIndex(id) else {
        plainIndexID = id
        return false
      }
      textIndex = TextIndexEntries(indexID: id)
    }
    guard var entries = textIndex else { return false }
    textIndex = nil
    do throws(FormatError) {
      try entries.read(key, value) { noteWord(id, $0, $1, $2) }
    } catch {
      note(.damagedIndexEntry, textIndexName(id), error.description)
    }
    textIndex = entries
    return true
  }

  /// Verifies the totals of the full-text index read last.
  mutating func finishTextIndex() {
    guard let entries = textIndex else { return }
    textIndex = nil
    // A walk that was stopped has not read all of them.
    guard isExact || report.problemCount == 0, stop == nil else { return }
    do throws(FormatError) {
      try entries.finish()
    } catch {
      note(.damagedIndexEntry, textIndexName(entries.indexID), error.description)
    }
  }

  private mutating func noteWord(
    _ indexID: UInt32, _ word: UnsafeRawBufferPointer, _ id: UInt64, _ state: TextIndexEntries.Word
  ) {
    guard isExact else {
      switch state {
      case .current(let count):
        encodeWord(indexID, word, id, count: count)
        stored.indexes.insert(key, entry)
      case .removed:
        encodeWord(indexID, word, id, count: 0)
        required.outdated.insert(key, entry)
      case .outdated:
        encodeWord(indexID, word, id, count: 0)
        stored.outdated.insert(key, entry)
      }
      return
    }
    switch state {
    case .current: textWordCounts[indexID, default: 0] += 1
    case .removed:
      if storedCount(indexID, word, id) == nil {
        note(
          .missingIndexEntry, textIndexName(indexID),
          "object number \(id) lacks an outdated word")
      }
    case .outdated:
      guard (try? pendingText(indexID, id)?.find(word))?.isRemoved != true else { return }
      note(
        .strayIndexEntry, textIndexName(indexID),
        "object number \(id) has a word that its pending text does not name")
    }
  }

  /// Encodes a word of a text into `key` and `entry`.
  private mutating func encodeWord(
    _ indexID: UInt32, _ word: UnsafeRawBufferPointer, _ id: UInt64, count: UInt32
  ) {
    PostingKey.begin(&key, indexID: indexID, word: word)
    key.append(uint64: id)
    entry.removeAll()
    entry.append(count)
  }

  /// The pending text of an object; nil if there is none, or if it cannot be decoded.
  private mutating func pendingText(_ indexID: UInt32, _ id: UInt64) -> PendingText? {
    PostingKey.beginPending(&key, indexID: indexID)
    key.append(uint64: id)
    return key.withUnsafeBytes { snapshot.find(.indexes, key: $0) }
      .flatMap { try? PendingText(validating: $0) }
  }

  /// The number of occurrences of a word in the blocks; nil if they do not contain it, or cannot be
  /// decoded.
  private mutating func storedCount(
    _ indexID: UInt32, _ word: UnsafeRawBufferPointer, _ id: UInt64
  ) -> UInt32? {
    (try? snapshot.postingCount(&key, indexID: indexID, word: word, id)) ?? nil
  }

  /// The description of a full-text index, which only the exact walk reports.
  private func textIndexName(_ id: UInt32) -> String {
    guard isExact else { return "" }
    for schema in schema.classes {
      for index in schema.indexes where index.id == id {
        return "\(schema.name): \(index.description.text)"
      }
    }
    return "indexes"
  }
}

extension FileSchema {
  /// Whether a class has a full-text index with an id.
  fileprivate func hasTextIndex(_ id: UInt32) -> Bool {
    classes.contains { $0.indexes.contains { $0.id == id && $0.kind == .fullText } }
  }
}
