import Foundation
import Testing
import Varve

/// The examples of the article “Large values”.
@Suite struct LargeValuesTests {
  private typealias StoredFile = LargeValueModels.StoredFile
  private typealias FileResponse = LargeValueModels.FileResponse

  private static let content = Data("\u{89}PNG\r\n".utf8.dropFirst()) + pattern(3 << 20)

  private func withFile(_ body: (Realm, StoredFile) async throws -> Void) async throws {
    try await withTemporaryRealm { realm, _ in
      let file = try realm.writeSynchronously {
        realm.create(StoredFile.self, value: ["path": "/a.png", "content": Self.content])
      }
      try await body(realm, file)
    }
  }

  @Test func bytesAreLent() async throws {
    try await withFile { _, file in
      let newlines = file.withBytes(\.content) { bytes in
        bytes.withUnsafeBytes { $0.count { $0 == UInt8(ascii: "\n") } }
      }
      #expect(newlines == Self.content.count { $0 == UInt8(ascii: "\n") })
      let isPNG = file.withBytes(\.content, in: 1..<4) { bytes in
        bytes.withUnsafeBytes { $0.elementsEqual("PNG".utf8) }
      }
      #expect(isPNG)
    }
  }

  private func received(_ response: FileResponse) async -> Data {
    var received = Data()
    for await chunk in response.body { received.append(chunk) }
    return received
  }

  @Test func rangesAreServed() async throws {
    try await withFile { realm, file in
      let size = Self.content.count
      for (header, status, range) in [
        (nil, 200, 0..<size), ("bytes=0-0", 206, 0..<1), ("bytes=1000-1999", 206, 1000..<2000),
        ("bytes=2000000-", 206, 2_000_000..<size), ("bytes=-500", 206, size - 500..<size),
        ("bytes=5-99999999", 206, 5..<size), ("bytes=-99999999", 206, 0..<size),
        ("bytes=5-9223372036854775807", 206, 5..<size), ("bytes=99999999-", 416, 0..<0),
        ("bytes=\(size)-\(size)", 416, 0..<0), ("bytes=-0", 416, 0..<0),
        ("bytes=9-8", 200, 0..<size), ("bytes=0-1,5-6", 200, 0..<size), ("bytes=-", 200, 0..<size),
        ("bytes=99999999999999999999-", 200, 0..<size), ("lines=1-2", 200, 0..<size),
      ] as [(String?, Int, Range<Int>)] {
        let response = FileResponse(file, rangeHeader: header)
        let comment: Comment = "\(header ?? "none")"
        #expect(response.status == status, comment)
        #expect(response.headers["Content-Length"] == "\(range.count)", comment)
        let part = range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)"
        let expected = status == 200 ? nil : "bytes \(part)/\(size)"
        #expect(response.headers["Content-Range"] == expected, comment)
        #expect(await received(response) == Self.content[range], comment)
      }
    }
  }

  @Test func responseIsFromOneVersion() async throws {
    try await withFile { realm, file in
      var sent = Data()
      func send(_ chunk: Data) async throws {
        sent.append(chunk)
        try realm.writeSynchronously { file.content = Data() }
      }
      let response = FileResponse(file, rangeHeader: "bytes=1000000-")
      for await chunk in response.body { try await send(chunk) }
      #expect(sent == Self.content[1_000_000...])
    }
  }

  @Test func fileIsStoredInParts() async throws {
    try await withTemporaryRealm { realm, store in
      let location = store.directory.appending(path: "upload")
      try Self.content.write(to: location)
      try await storeInParts(try FileHandle(forReadingFrom: location), in: realm)
      #expect(realm.objects(StoredFile.self).first?.content == Self.content)
    }
  }

  private func storeInParts(_ source: FileHandle, in realm: Realm) async throws {
    try await realm.write {
      let file = realm.create(StoredFile.self, value: ["path": "/photo.png"])
      while let part = try source.read(upToCount: 1 << 20) {
        file.append(part, to: \.content)
      }
    }
  }
}

/// The types of the article.
enum LargeValueModels {
  @Model final class StoredFile: Object {
    @Persisted(primaryKey: true) var path: String
    @Persisted var content: Data
  }

  struct FileResponse: Sendable {
    var status = 200
    var headers = ["Accept-Ranges": "bytes"]
    let body: ByteChunks

    init(_ file: StoredFile, rangeHeader: String?) {
      // The size and the bytes are those of one version. Only managed objects can be frozen.
      let file = file.realm == nil ? file : file.freeze()
      let size = file.byteCount(of: \.content)
      var range = 0..<size
      if let requested = Self.range(rangeHeader, size: size) {
        range = requested.clamped(to: range)
        status = range.isEmpty ? 416 : 206
        let part = range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)"
        headers["Content-Range"] = "bytes \(part)/\(size)"
      }
      body = file.chunks(of: \.content, in: range)
      headers["Content-Length"] = "\(body.byteCount)"
    }

    /// Reads `bytes=100-199`, `bytes=100-` or `bytes=-100`. A server may ignore any other range.
    static func range(_ header: String?, size: Int) -> Range<Int>? {
      guard let match = header?.wholeMatch(of: /bytes=([0-9]*)-([0-9]*)/) else { return nil }
      switch (Int(match.1), Int(match.2)) {
      case (let first?, let last?) where first <= last: return first..<max(last, last &+ 1)
      case (let first?, nil) where match.2.isEmpty: return first..<max(first, size)
      case (nil, let count?) where match.1.isEmpty: return max(0, size - count)..<size
      default: return nil
      }
    }
  }
}
