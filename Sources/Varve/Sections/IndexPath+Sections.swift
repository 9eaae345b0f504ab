#if !canImport(UIKit) && !canImport(AppKit)
  public import Foundation

  // What Apple's interface libraries add: index paths of sections.
  extension IndexPath {
    /// The place of an element in a section.
    ///
    /// - Parameters:
    ///   - item: the place in the section.
    ///   - section: the place of the section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// As ``init(item:section:)``.
    ///
    /// - Parameters:
    ///   - row: the place in the section.
    ///   - section: the place of the section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The place of the section.
    ///
    /// - Precondition: the index path has two indexes.
    public var section: Int { self[0] }

    /// The place in the section.
    ///
    /// - Precondition: the index path has two indexes.
    public var item: Int { self[1] }

    /// The place in the section.
    ///
    /// - Precondition: the index path has two indexes.
    public var row: Int { self[1] }
  }
#endif
