/// The result of a check of the pages of a version.
package struct PageReport: Sendable, Equatable {
  /// A damaged page.
  package struct Damage: Sendable, Equatable {
    /// The number of the page; nil for damage of a table record without pages.
    package let page: UInt64?
    package let detail: String
  }

  /// The maximum number of listed pages. Further damage is only counted.
  package static let maximumDamages = 1_000

  package let pageSize: Int
  /// The number of pages of the version, with the two meta pages.
  package let pageCount: Int
  /// The number of pages in the free list; nil for a version that is no longer the newest, whose
  /// free list is not checked.
  package private(set) var freeCount: Int?
  /// The number of pages that are neither used nor free; nil if the free list was not checked, or
  /// if a page is damaged, because the pages below it are then unknown.
  package internal(set) var leakedCount: Int?
  package private(set) var damages: [Damage] = []
  package private(set) var damageCount = 0

  init(pageSize: Int, pageCount: Int, hasFreeList: Bool) {
    self.pageSize = pageSize
    self.pageCount = pageCount
    freeCount = hasFreeList ? 0 : nil
  }

  mutating func note(_ damage: PageDamage) {
    damageCount += 1
    guard damages.count < Self.maximumDamages else { return }
    damages.append(
      Damage(
        page: damage.page == PageLayout.noPage ? nil : damage.page, detail: "\(damage.detail)"))
  }

  mutating func noteFree() { freeCount = freeCount.map { $0 + 1 } }
}
