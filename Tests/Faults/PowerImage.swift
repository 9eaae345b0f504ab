import Glibc

/// Writes the files that a power failure leaves.
struct PowerImage {
  let disk: PowerDisk
  let fragments: [PowerDisk.Fragment]
  let cut: PowerCut
  /// The directory of the recorded process.
  let source: String
  /// The name of the store.
  let store: String

  /// Writes the files into an existing directory.
  func write(to directory: String) {
    var names = disk.names
    for change in disk.nameChanges.prefix(cut.nameCount) { change.apply(to: &names) }
    for (path, file) in names { writeFile(file, to: directory + path.dropFirst(source.count)) }
    let data = directory + "/" + store
    writeMapped("-lock", cut.lock, data) { _, _ in }
    writeMapped("-signal", cut.signal, data, adapt)
  }

  private func writeFile(_ file: Int, to path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    put(disk.files[file][...], descriptor, 0)
    for index in cut.fragments where fragments[index].file == file {
      switch fragments[index].change {
      case .resize(let size): ftruncate(descriptor, off_t(size))
      case .write(let offset, let bytes):
        put(index == cut.tear?.fragment ? torn(index, bytes)[...] : bytes, descriptor, offset)
      }
    }
  }

  /// A sector of which one part is that of an earlier state.
  private func torn(_ index: Int, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard let tear = cut.tear else { return Array(bytes) }
    let earlier = disk.content(before: index, of: fragments, back: tear.back)
    return bytes.enumerated().map { position, byte in
      guard (position < tear.byteCount) == tear.isEnd else { return byte }
      return position < earlier.count ? earlier[position] : 0
    }
  }

  private func writeMapped(
    _ suffix: String, _ state: PowerCut.MappedState, _ data: String,
    _ adapt: (inout [UInt8], stat) -> Void
  ) {
    guard let content = disk.mapped[source + "/" + store + suffix], state != .absent else { return }
    var bytes: [UInt8]
    switch state {
    case .current: bytes = content.current
    case .synced: bytes = content.synced ?? Array(repeating: 0, count: content.current.count)
    default: bytes = Array(repeating: 0, count: content.current.count)
    }
    var status = stat()
    if state == .current || state == .synced, stat(data, &status) == 0 { adapt(&bytes, status) }
    let descriptor = open(data + suffix, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    put(bytes[...], descriptor, 0)
  }

  /// Makes a signal page that of this copy of the file, and of an earlier boot of the machine. See
  /// “Signal page” in Docs/Format.md.
  private func adapt(_ bytes: inout [UInt8], _ status: stat) {
    // A page that was never used names no file.
    guard bytes.count >= 48, bytes[0] != 0 else { return }
    for index in 16..<32 { bytes[index] = ~bytes[index] }
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: UInt64(status.st_dev), toByteOffset: 32, as: UInt64.self)
      $0.storeBytes(of: UInt64(status.st_ino), toByteOffset: 40, as: UInt64.self)
    }
  }

  private func put(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32, _ offset: Int) {
    let count = bytes.withUnsafeBytes {
      pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
    }
    precondition(count == bytes.count, "An image could not be written.")
  }
}
