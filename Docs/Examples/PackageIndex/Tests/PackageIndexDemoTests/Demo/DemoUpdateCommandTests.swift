import ArgumentParser
import Foundation
import Testing
import Varve

@testable import PackageIndexDemo

@Suite struct DemoUpdateCommandTests {
  @Test func frozenRealmStaysAndLiveRealmAdvances() throws {
    try TemporaryStore.with { (temporary, realm) throws in
      try PackageImport(into: realm).add([
        TemporaryStore.record("a"), TemporaryStore.record("b"), TemporaryStore.record("c"),
      ])
      let frozen = realm.freeze()
      let command = try DemoUpdateCommand.parse([temporary.store.url.path, "a", "b"])
      try command.run()
      try realm.refresh()

      let table = PackageComparison(names: ["a", "b", "c"], frozen: frozen, live: realm).table()
      #expect(
        table.rows == [
          ["a", "1, 0 B, 0 tags", "1+changed, 1.0 MiB, 1 tag"],
          ["b", "1, 0 B, 0 tags", "(none)"],
          ["c", "1, 0 B, 0 tags", "1, 0 B, 0 tags"],
        ])
    }
  }

  @Test func missingPackagesAreSkipped() throws {
    try TemporaryStore.with { (temporary, realm) throws in
      try PackageImport(into: realm).add([TemporaryStore.record("a")])
      try DemoUpdateCommand.parse([temporary.store.url.path, "x", "y"]).run()
      try realm.refresh()
      #expect(realm.objects(Package.self).map(\.version) == ["1"])
    }
  }
}
