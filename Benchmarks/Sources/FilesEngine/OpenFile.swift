import Foundation

/// A descriptor that is closed with its owner.
struct OpenFile: ~Copyable, Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}

/// A directory that stays open for as long as it is referenced.
final class OpenDirectory: Sendable {
  private let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }

  var descriptor: Int32 { file.descriptor }
}
