/// A disk that loses its power: the contents that are durable, and the changes that are not yet.
///
/// The model is the weakest one that POSIX permits: until a file is synchronized, any subset of the
/// sectors written to it may be on the disk, and until its directory is, any prefix of the changes
/// of names. A synchronization that fails loses the changes, as Linux does: a later one succeeds
/// without them.
struct PowerDisk {
  /// A change of a file that need not be on the disk.
  struct Fragment {
    enum Change {
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
  mutating func apply(_ operation: FaultOperation) {
    switch operation.kind {
    case .content:
      mapped[operation.path, default: Content(current: [])].current = Array(operation.bytes)
    case .mapSync where operation.error == 0:
      mapped = mapped.mapValues { Content(current: $0.current, synced: $0.current) }
    case .open where operation.isNew && !isMapped(operation.path):
      filesByInode[operation.file] = files.count
      files.append([])
      nameChanges.append(.add(operation.path, files.count - 1))
    case .write where !isMapped(operation.path): write(operation)
    case .truncate where operation.error == 0 && !isMapped(operation.path):
      if let file = filesByInode[operation.file] {
        fragments.append(Fragment(file: file, change: .resize(operation.offset)))
      }
    case .rename where operation.error == 0:
      nameChanges.append(.move(operation.path, operation.target))
    case .unlink where operation.error == 0 && !isMapped(operation.path):
      nameChanges.append(.remove(operation.path))
    case .sync: synchronize(operation)
    default: break
    }
  }

  func isMapped(_ path: String) -> Bool { path.hasSuffix("-lock") || path.hasSuffix("-signal") }

  private mutating func write(_ operation: FaultOperation) {
    guard let file = filesByInode[operation.file], !operation.bytes.isEmpty else { return }
    let range = operation.offset..<operation.offset + operation.bytes.count
    if operation.isDurable, operation.error == 0 {
      // Earlier states of these bytes are gone.
      fragments.removeAll { $0.file == file && $0.isInside(range) }
      files[file].put(operation.bytes, at: operation.offset)
      return
    }
    fragments += split(operation, file)
  }

  /// The sectors of a write.
  func split(_ operation: FaultOperation, _ file: Int) -> [Fragment] {
    var result: [Fragment] = []
    var bytes = operation.bytes
    var offset = operation.offset
    while !bytes.isEmpty {
      let part = bytes.prefix(sectorSize - offset % sectorSize)
      result.append(Fragment(file: file, change: .write(offset, part)))
      offset += part.count
      bytes = bytes.dropFirst(part.count)
    }
    return result
  }

  /// The fragments that a cut during an operation finds: those of a durable write may be missing.
  func fragments(during operation: FaultOperation) -> [Fragment] {
    guard operation.kind == .write, operation.isDurable, let file = filesByInode[operation.file]
    else { return fragments }
    return fragments + split(operation, file)
  }

  private mutating func synchronize(_ operation: FaultOperation) {
    if operation.isDirectory {
      guard operation.error == 0 else { return }
      for change in nameChanges { change.apply(to: &names) }
      nameChanges = []
      return
    }
    guard let file = filesByInode[operation.file] else { return }
    if operation.error == 0 {
      for fragment in fragments where fragment.file == file { fragment.apply(to: &files[file]) }
    }
    fragments.removeAll { $0.file == file }
  }
}

extension PowerDisk.Fragment {
  func isInside(_ range: Range<Int>) -> Bool {
    guard case .write(let offset, let bytes) = change else { return false }
    return range.lowerBound <= offset && offset + bytes.count <= range.upperBound
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
