import Glibc
import Testing

/// Plain reading and writing of whole files.
func write(_ text: String, to path: String) throws {
  let file = try #require(fopen(path, "w"))
  fputs(text, file)
  fclose(file)
}

func readBytes(_ path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"))
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

func read(_ path: String) throws -> String {
  String(decoding: try readBytes(path), as: UTF8.self)
}

/// Overwrites bytes in the middle of a file.
func patch(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
  let file = try #require(fopen(path, "r+"))
  fseek(file, offset, SEEK_SET)
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}

/// Copies a file without a lock, like a careless user.
func copyFile(_ source: String, _ target: String) throws {
  let bytes = try readBytes(source)
  let file = try #require(fopen(target, "w"))
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}
