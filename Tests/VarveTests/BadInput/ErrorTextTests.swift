import Foundation
import Testing
import Varve

/// The texts of errors that concern the file and its companion files.
@Suite struct ErrorTextTests {
  @Test func overlongFileNameErrorGivesLimit() throws {
    let store = try TemporaryRealm(name: String(repeating: "n", count: 201))
    defer { store.remove() }
    let error = try #require(thrownError { try store.open() })
    #expect(error.code == .fileAccess && error.path == store.path)
    #expect(error.message.contains("200 bytes") && error.message.contains("255"))
    // At the limit, the name of each companion file still fits.
    let longest = try TemporaryRealm(name: String(repeating: "n", count: 200))
    _ = try longest.open()
    longest.end()
  }

  @Test func errorsBehaveLikeFoundationErrors() throws {
    let url = URL(filePath: "/nowhere/at/all.varve")
    do {
      _ = try Realm(fileURL: url)
      Issue.record("was opened")
    } catch Realm.Error.fileNotFound {
      let error = try #require(thrownError { try Realm(fileURL: url) })
      #expect(error.fileURL == url && error.localizedDescription == "\(error)")
      #expect(error.localizedDescription.contains("/nowhere/at/all.varve"))
      #expect(error == thrownError { try Realm(fileURL: url) })
      #expect(Realm.Error.fileOperationFailed == Realm.Error.Code.fileAccess)
    }
  }

  /// No process can create files there, not even as root.
  @Test func creationErrorNamesRequestedFile() throws {
    let path = "/sys/varve-test.varve"
    let error = try #require(thrownError { try Realm(fileURL: URL(filePath: path)) })
    #expect(error.code == .filePermissionDenied || error.code == .directoryUnsafe)
    #expect(error.path == path || error.path == "/sys")
    #expect("\(error)".contains(".new-") == false)
    if error.code == .filePermissionDenied {
      #expect(error.message == "The file could not be created.")
      #expect("\(error)".contains("Permission denied"))
    }
  }

  @Test func busyErrorGivesStartTimeAndStorePath() throws {
    try withTemporaryRealm({ $0.writeTimeout = .milliseconds(30) }) { realm, store in
      let held = OpenWrite(store.configuration)
      let errors = [thrownError { try realm.write {} }, thrownError { try realm.beginWrite() }]
      held.end()
      #expect(!errors.contains { $0 == nil })
      for error in errors.compactMap(\.self) {
        #expect(error.code == .busy && error.path == store.path)
        #expect("\(error)".contains("process: \(getpid())"))
        let since = Date(timeIntervalSince1970: try #require(error.since))
        #expect("\(error)".contains("since: \(since)"))
        #expect("\(error)".contains("-signal") == false)
      }
    }
  }

  @Test func outgrownMapThrowsMapFull() throws {
    try withTemporaryRealm({ $0.mapReservation = 1 << 20 }) { realm, store in
      let error = thrownError {
        try realm.write {
          for id in 0..<50 { realm.add(Crate(id, numbers: 0..<10_000)) }
        }
      }
      #expect(error?.code == .mapFull && error?.path == store.path)
      #expect(
        error?.message == "The transaction outgrew the map; the next one has a larger map.")
    }
  }
}
