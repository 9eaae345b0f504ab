#if !canImport(UIKit) && !canImport(AppKit)
  public import Foundation

  // Members that UIKit and AppKit add to index paths.
  extension IndexPath {
    /// Creates the index path of an item in a section.
    ///
    /// - Parameters:
    ///   - item: The index of the item in the section.
    ///   - section: The index of the section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// Creates the index path of a row in a section.
    ///
    /// - Parameters:
    ///   - row: The index of the row in the section.
    ///   - section: The index of the section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    /// The index of the section.
    ///
    /// - Precondition: The index path has two indexes.
    public var section: Int { self[0] }

    /// The index of the item in the section.
    ///
    /// - Precondition: The index path has two indexes.
    public var item: Int { self[1] }

    /// The index of the row in the section.
    ///
    /// - Precondition: The index path has two indexes.
    public var row: Int { self[1] }
  }
#endif
