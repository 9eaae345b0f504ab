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
  /// - Parameters:
  ///   - path: The data file.
  ///   - hasTables: Whether the sizes of the tables are read.
  /// - Throws: ``ToolError`` when the file does not exist, cannot be read, or is not a store.
  init(inspecting path: String, hasTables: Bool = false) throws {
    self = try StoreVersion.read(path) { try StoreReport(of: $0, hasTables: hasTables) }
    // A file that can only be read is opened as a copy.
    self.path = URL(fileURLWithPath: path).path
    bytesOnDisk = DiskUsage.bytes(of: path)
  }

  private init(of newest: StoreVersion, hasTables: Bool) throws(Failure) {
    let (store, snapshot, schema) = (newest.store, newest.snapshot, newest.schema)
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
      tables: hasTables ? Table.all(of: newest) : [],
      // A process that may not open the lock file reads a copy.
      knowsReaders: !store.environment.isPrivateCopy,
      readers: zip(use.versions, use.pinnedBytesByVersion).filter { $0.0.processID != getpid() }
        .map { Reader($0, pinnedBytes: $1) })
  }
}

extension StoreReport.Table {
  /// Returns the tables that contain something, the largest first.
  fileprivate static func all(of version: StoreVersion) -> [StoreReport.Table] {
    let snapshot = version.snapshot
    let objects = version.schema.classes.map { ("objects of \($0.name)", $0.table) }
    let fixed = VarveStorage.Table.fixed.map { ($0.name, $0) }
    return (objects + fixed).map { name, table in
      StoreReport.Table(
        name: name, entryCount: snapshot.count(table),
        bytes: Int(clamping: snapshot.byteCount(of: table) ?? 0))
    }
    .filter { $0.entryCount > 0 }
    .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
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
  init(_ schema: ClassSchema, in file: FileSchema, _ snapshot: Snapshot) {
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
