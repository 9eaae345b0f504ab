/// A schema migration, updates of existing objects, and text export and import.
extension Workload {
  static let schemas: [Workload] = [
    Workload(
      "migrate", "migrate 1 M objects: a new type and a new name", 1_000_000, on: .persons,
      changesStore: true
    ) {
      (engine: any MigratingEngine, context) in
      try context.time(Expected.ages(context.stored)) {
        try engine.migrate()
      } then: {
        try engine.readMigratedAges()
      }
    },
    update("update-all", "update 1 M objects, writing all properties", onlyDifferences: false),
    update("update-modified", "update 1 M objects, writing only changes", onlyDifferences: true),
    Workload("export", "export 1 M objects as text", 1_000_000, on: .persons) {
      (engine: any TextEngine, context) in
      try context.time(Expected.ages(context.stored)) {
        try engine.exportText()
      } then: {
        try engine.importText()
        return try engine.readImportedAges()
      }
    },
    Workload("import", "import 1 M objects from text", 1_000_000, on: .persons) {
      (engine: any TextEngine, context) in
      try engine.exportText()
      ResidentMemory.resetPeak()
      return try context.time(Expected.ages(context.stored)) {
        try engine.importText()
      } then: {
        try engine.readImportedAges()
      }
    },
  ]

  /// One object in a hundred differs in one property.
  private static func update(
    _ name: String, _ summary: String, onlyDifferences: Bool
  ) -> Workload {
    Workload(name, summary, 1_000_000, on: .persons, changesStore: true) {
      (engine: any UpdatingEngine, context) in
      try context.time(Expected.updatedAges(context.stored)) {
        try engine.updatePersons(context.stored, onlyDifferences: onlyDifferences)
      } then: {
        let reader = try engine.makePersonReader()
        try context.checkPersons(reader, context.stored, are: Person.updated)
        return try reader.readAges()
      }
    }
  }
}
