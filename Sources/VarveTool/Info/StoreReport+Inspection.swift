import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveStorage

extension StoreReport {
  /// Reads the report from the newest version of a store.
  ///
  /// The store is opened for reading only: nothing is created, and writers are not blocked.
  ///
  /// - Parameter path: The data file.
  /// - Throws: ``ToolError`` when the file does not exist, cannot be read, or is not a store.
  init(inspecting path: String) throws {
    self = try ToolError.translating {
      var options = StoreOptions(path: path)
      options.isReadOnly = true
      let store = try Store(options: options)
      let report = Result { try StoreReport(of: store) }
      try store.close()
      return try report.get()
    }
  }

  private init(of store: Store) throws(Failure) {
    let snapshot = try store.newestSnapshot()
    let schema = try FileSchema.load(from: snapshot, snapshot.root)
    let classes = schema.classes.map { ClassSummary($0, in: schema, snapshot) }
    let use = try store.storageUse()
    let version = snapshot.version
    self.init(
      path: store.environment.path,
      bytesOnDisk: DiskUsage.bytes(of: store.environment.path),
      formatVersion: Int(snapshot.root.formatVersion),
      schemaVersion: snapshot.root.userSchemaVersion,
      commit: version.counter,
      incarnation: version.incarnation.hexadecimal,
      space: Space(live: use.liveBytes, free: use.freeBytes, pinned: use.pinnedBytes),
      classes: classes.sorted { $0.name < $1.name },
      readers: zip(use.versions, use.pinnedBytesByVersion).filter { $0.0.processID != getpid() }
        .map { Reader($0, pinnedBytes: $1) })
  }
}

extension StoreReport.Reader {
  fileprivate init(_ version: PinnedVersion, pinnedBytes: Int) {
    self.init(
      process: version.processID, distance: version.distance, age: version.age,
      pinnedBytes: pinnedBytes, isWriting: version.holders.contains { $0.kind == .write })
  }
}

extension StoreReport.ClassSummary {
  fileprivate init(_ schema: ClassSchema, in file: FileSchema, _ snapshot: Snapshot) {
    self.init(
      name: schema.name, isEmbedded: schema.record.isEmbedded,
      objectCount: snapshot.count(schema.table),
      properties: schema.properties.map { property in
        let target = property.targetClassID.flatMap { file.schema(ofClass: $0)?.name }
        return StoreReport.Property(
          name: property.name, type: property.kind.typeName(target: target),
          isPrimaryKey: property.isPrimaryKey,
          isObjectID: property.isPrimaryKey && property.kind.isIntegerKey,
          isAutoIncremented: property.isAutoIncremented,
          isIndexed: property.indexID != 0 && !property.isPrimaryKey)
      },
      indexes: schema.indexes.map(\.description.text))
  }
}

extension RandomIdentity {
  fileprivate var hexadecimal: String {
    [first, second].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
