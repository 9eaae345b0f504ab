import VarveTestSupport

/// A disk that loses its power: the contents that are durable, and the changes that are not yet.
///
/// The model is the weakest one that a page cache permits: until a file is synchronized, each sector
/// written to it may have on the disk what it contained after any of the writes, and until its
/// directory is, any prefix of the changes of names is on the disk. A synchronization that fails
/// loses any of the changes, as Linux does: a later one succeeds without them, except for those of a
/// sector that is written again, since the page cache keeps its contents.
struct PowerDisk {
  /// A change of a file that need not be on the disk.
  struct Fragment {
    enum Change {
      /// The offset of a sector, and its content after the write.
      case write(Int, ArraySlice<UInt8>)
      case resize(Int)
    }
    let file: Int
    let change: Change
  }

  enum NameChange {
    case add(String, Int)
    case move(String, String)
    case remove(String)
  }

  /// The size of the units that are written completely or not at all.
  let sectorSize: Int
  private(set) var files: [[UInt8]] = []
  /// The contents of the files in the page cache.
  private var cached: [[UInt8]] = []
  private(set) var names: [String: Int] = [:]
  private(set) var fragments: [Fragment] = []
  private(set) var nameChanges: [NameChange] = []
  /// The contents of the files that processes write through mappings, by their names.
  private(set) var mapped: [String: Content] = [:]
  private var filesByInode: [UInt64: Int] = [:]

  struct Content {
    var current: [UInt8]
    /// What the last `msync` made durable.
    var synced: [UInt8]?
  }

  init(sectorSize: Int) { self.sectorSize = sectorSize }

  /// Whether the operation makes something durable, so that states before it are worth testing.
  func isPersistencePoint(_ operation: FaultOperation) -> Bool {
    switch operation.kind {
    case .sync: true
    case .write: operation.isDurable
    case .acknowledge, .copied: true
    default: false
    }
  }

  /// Applies an operation.
  ///
  /// - Parameter random: Chooses what a failed synchronization loses.
  mutating func apply(_ operation: FaultOperation, _ random: inout SeededRandom) {
    switch operation.kind {
    case .content:
      mapped[operation.path, default: Content(current: [])].current = Array(operation.bytes)
    case .mapSync where operation.error == 0:
      mapped = mapped.mapValues { Content(current: $0.current, synced: $0.current) }
    case .open where operation.isNew && !isMapped(operation.path):
      filesByInode[operation.file] = files.count
      files.append([])
      cached.append([])
      nameChanges.append(.add(operation.path, files.count - 1))
    case .write where !isMapped(operation.path): write(operation)
    case .truncate where operation.error == 0 && !isMapped(operation.path):
      if let file = filesByInode[operation.file] {
        let fragment = Fragment(file: file, change: .resize(operation.offset))
        fragment.apply(to: &cached[file])
        fragments.append(fragment)
      }
    case .rename where operation.error == 0:
      nameChanges.append(.move(operation.path, operation.target))
    case .unlink where operation.error == 0 && !isMapped(operation.path):
      nameChanges.append(.remove(operation.path))
    case .sync: synchronize(operation, &random)
    default: break
    }
  }

  func isMapped(_ path: String) -> Bool { path.hasSuffix("-lock") || path.hasSuffix("-signal") }

  private mutating func write(_ operation: FaultOperation) {
    guard let file = filesByInode[operation.file], !operation.bytes.isEmpty else { return }
    let sectors = split(operation, file)
    cached[file].put(operation.bytes, at: operation.offset)
    guard operation.isDurable, operation.error == 0 else {
      fragments += sectors
      return
    }
    // Earlier states of these sectors are gone.
    for sector in sectors {
      fragments.removeAll { $0.file == file && $0.offset == sector.offset }
      sector.apply(to: &files[file])
    }
  }

  /// The sectors of a write, with their contents after it.
  func split(_ operation: FaultOperation, _ file: Int) -> [Fragment] {
    let end = operation.offset + operation.bytes.count
    return stride(from: operation.offset / sectorSize * sectorSize, to: end, by: sectorSize).map {
      start in
      let content = cached[file]
      var sector = Array(
        content[min(start, content.count)..<min(start + sectorSize, content.count)])
      let first = max(start, operation.offset)
      let bytes = operation.bytes.dropFirst(first - operation.offset)
        .prefix(start + sectorSize - first)
      sector.put(bytes, at: first - start)
      return Fragment(file: file, change: .write(start, sector[...]))
    }
  }

  /// The content of a sector at an earlier moment.
  ///
  /// - Parameters:
  ///   - fragment: A state of a sector.
  ///   - back: The number of states before it to go back.
  func content(before fragment: Int, of fragments: [Fragment], back: Int) -> [UInt8] {
    let (file, offset) = (fragments[fragment].file, fragments[fragment].offset)
    let earlier = fragments[..<fragment].filter { $0.file == file && $0.offset == offset }
    if let offset, earlier.count < back {
      let content = files[file]
      return Array(content[min(offset, content.count)..<min(offset + sectorSize, content.count)])
    }
    guard case .write(_, let bytes) = earlier[earlier.count - back].change else { return [] }
    return Array(bytes)
  }

  /// The fragments that a cut during an operation finds: those of a durable write may be missing.
  func fragments(during operation: FaultOperation) -> [Fragment] {
    guard operation.kind == .write, operation.isDurable, let file = filesByInode[operation.file]
    else { return fragments }
    return fragments + split(operation, file)
  }

  private mutating func synchronize(
    _ operation: FaultOperation, _ random: inout SeededRandom
  ) {
    if operation.isDirectory {
      guard operation.error == 0 else { return }
      for change in nameChanges { change.apply(to: &names) }
      nameChanges = []
      return
    }
    guard let file = filesByInode[operation.file] else { return }
    for fragment in fragments where fragment.file == file {
      if operation.error == 0 || random.oneIn(2) { fragment.apply(to: &files[file]) }
    }
    fragments.removeAll { $0.file == file }
  }
}

extension PowerDisk.Fragment {
  /// The offset of a sector; nil for a change of size.
  var offset: Int? {
    guard case .write(let offset, _) = change else { return nil }
    return offset
  }

  func apply(to content: inout [UInt8]) {
    switch change {
    case .write(let offset, let bytes): content.put(bytes, at: offset)
    case .resize(let size) where size < content.count: content.removeLast(content.count - size)
    case .resize(let size):
      content.append(contentsOf: repeatElement(0, count: size - content.count))
    }
  }
}

extension PowerDisk.NameChange {
  func apply(to names: inout [String: Int]) {
    switch self {
    case .add(let name, let file): names[name] = file
    case .move(let from, let to): names[to] = names.removeValue(forKey: from)
    case .remove(let name): names[name] = nil
    }
  }
}

extension [UInt8] {
  /// Replaces bytes, and extends the array with zeros up to them.
  fileprivate mutating func put(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    let end = offset + bytes.count
    if count < end { append(contentsOf: repeatElement(0, count: end - count)) }
    replaceSubrange(offset..<end, with: bytes)
  }
}
