/// What was found in the pages of a damaged file.
package struct SalvagedPages: Sendable {
  /// A table whose entries are rescued.
  package struct TableCount: Sendable {
    /// The number of entries in the record of the table; nil if the record is lost.
    package var expected: Int?
    package var found = 0
    /// The number of damaged pages, and entries that cannot be stored.
    package var damageCount = 0

    /// Whether no entry is known to be missing.
    package var isWhole: Bool { damageCount == 0 && expected == found }
    /// The number of entries that are known to be missing.
    package var missing: Int { max(0, (expected ?? 0) - found) }
  }

  package internal(set) var root: RootRecord
  package internal(set) var tables: [Table: TableCount] = [:]
  /// The pages that are damaged, at most the first 1,000.
  package internal(set) var damages: [PageReport.Damage] = []
  package internal(set) var damageCount = 0
  /// The number of bytes of the file that could not be read.
  package internal(set) var unreadableByteCount = 0
  /// Whether a meta page is damaged, so that a later version may have existed.
  package internal(set) var isMetaDamaged = false
  /// Whether the tables of the newest version could not be read, and those of the version before
  /// it were.
  package internal(set) var isEarlierVersion = false
  /// Whether a page of the unnamed table is damaged, or a table has an unknown name, so that tables
  /// may be missing.
  package internal(set) var isTableListDamaged = false

  mutating func note(_ damage: PageDamage, in table: Table) {
    damageCount += 1
    tables[table, default: TableCount()].damageCount += 1
    if table == .main { isTableListDamaged = true }
    guard damages.count < PageReport.maximumDamages else { return }
    damages.append(
      .init(
        page: damage.page == PageLayout.noPage ? nil : damage.page, detail: "\(damage.detail)"))
  }
}
