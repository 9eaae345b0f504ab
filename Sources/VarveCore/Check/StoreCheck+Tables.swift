import VarveStorage

/// The tables, and the unnamed one that contains them.
extension StoreCheck {
  /// Checks that each class has a table, which is created before the class record.
  mutating func checkClassTables() {
    for schema in schema.classes where !snapshot.contains(schema.table) {
      note(.damagedClass, schema.name, "its table is missing")
    }
  }

  /// Checks the records of the unnamed table: there are the root record and tables, whose names the
  /// check of the pages has examined. Class tables without a class are empty: those of removed
  /// classes, and those opened in advance for future classes.
  mutating func checkRecords() {
    var cursor = snapshot.cursor(.main)
    var isPresent = cursor.seekFirst()
    while isPresent, advance() {
      if let table = Table(name: cursor.key) {
        checkSpareTable(table)
      } else if !cursor.key.elementsEqual(RootRecord.keyBytes) {
        let name = String(decoding: cursor.key, as: UTF8.self)
        note(
          .foreignRecord, "unnamed table",
          "the record \(name.debugDescription) of another program")
      }
      isPresent = cursor.next()
    }
  }

  private mutating func checkSpareTable(_ table: Table) {
    guard let id = table.classID, schema.schema(ofClass: id) == nil else { return }
    let spare = 2 * WriterState.spareClassTables + UInt32(WriterState.maximumPendingClasses)
    let count = snapshot.count(table)
    if count > 0 {
      note(.strayRow, "table of class \(id)", "\(count) rows without a class")
    } else if id >= snapshot.root.nextClassID + spare {
      note(.unknownID, "table of class \(id)", "the id was not assigned")
    }
  }
}
