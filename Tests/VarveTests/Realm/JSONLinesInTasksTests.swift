import Dispatch
import Foundation
import Testing
import Varve
import VarveCore

/// Exports and imports that a task waits for.
@Suite struct JSONLinesInTasksTests {
  private struct Refusal: Error {}

  @Test func aStoreComesBackFromItsText() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { for id in 1...3000 { realm.add(Buoy(id)) } }
      let text = store.directory.appending(path: "text.jsonl")
      let heard = Heard<Int>()
      let count = try await realm.exportJSONLines(to: text) { done, _ in heard.note(done) }
      #expect(count == 3000 && heard.all.last == 3000 && heard.all.count > 1)
      try await withTemporaryRealm { other, _ in
        let read = try await other.importJSONLines(from: text) { done, _ in heard.note(done) }
        #expect(read == 3000 && other.objects(Buoy.self).count == 3000)
      }
      let file = try FileHandle(forReadingFrom: text)
      try await withTemporaryRealm { other, otherStore in
        #expect(try await other.importJSONLines(from: file) == 3000)
        let again = otherStore.directory.appending(path: "again.jsonl")
        #expect(FileManager.default.createFile(atPath: again.path, contents: nil))
        let handle = try FileHandle(forWritingTo: again)
        #expect(try await other.exportJSONLines(to: handle) == 3000)
        #expect(try Data(contentsOf: again) == Data(contentsOf: text))
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aCancelledImportStoresNothing() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { for id in 1...3000 { realm.add(Buoy(id)) } }
      let text = store.directory.appending(path: "text.jsonl")
      try await realm.exportJSONLines(to: text)
      try await withTemporaryRealm { other, _ in
        let turnstile = Turnstile()
        let reading = Task {
          try await other.importJSONLines(from: text) { _, _ in turnstile.pass() }
        }
        while turnstile.reached < 1 { await Task.yield() }
        reading.cancel()
        turnstile.open(1)
        await expectCancellation(of: reading)
        #expect(turnstile.reached == 1)
        try other.refresh()
        #expect(other.objects(Buoy.self).isEmpty)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aCancelledExportLeavesTheFileAsItWas() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { for id in 1...3000 { realm.add(Buoy(id)) } }
      let text = store.directory.appending(path: "text.jsonl")
      try Data("old".utf8).write(to: text)
      let turnstile = Turnstile()
      let writing = Task { try await realm.exportJSONLines(to: text) { _, _ in turnstile.pass() } }
      while turnstile.reached < 1 { await Task.yield() }
      writing.cancel()
      turnstile.open(1)
      await expectCancellation(of: writing)
      #expect(try Data(contentsOf: text) == Data("old".utf8))
      await expectThrown(Refusal.self) {
        try await realm.exportJSONLines(to: text) { _, _ in throw Refusal() }
      }
    }
  }

  /// The version is the one at the call, whatever is committed until its thread begins.
  @Test(.timeLimit(.minutes(1)))
  func exportsAndImportsKeepNoThreadOfThePool() async throws {
    try await withTemporaryRealm { realm, store in
      try await realm.write { realm.add(Buoy(1)) }
      let turnstile = Turnstile()
      let count = 8 * ProcessInfo.processInfo.activeProcessorCount
      let exports = (0..<count).map { number in
        Task {
          try await realm.exportJSONLines(to: store.directory.appending(path: "\(number)")) {
            _, _ in turnstile.pass()
          }
        }
      }
      while turnstile.reached < count { await Task.yield() }
      let reader = Task.detached { try store.open().objects(Buoy.self).count }
      #expect(try await reader.value == 1)
      turnstile.open(count)
      for export in exports { #expect(try await export.value == 1) }
    }
  }

  @Test func aTextThatCannotBeReadIsTold() async throws {
    try await withTemporaryRealm { realm, store in
      await expectErrorOfTask(.fileNotFound) {
        try await realm.importJSONLines(from: store.directory.appending(path: "none"))
      }
      let text = store.directory.appending(path: "text")
      try Data("nothing\n".utf8).write(to: text)
      await expectErrorOfTask(.invalidInput) {
        try await realm.importJSONLines(from: text)
      }
      await expectErrorOfTask(.frozen) {
        try await realm.freeze().importJSONLines(from: text)
      }
    }
  }
}
