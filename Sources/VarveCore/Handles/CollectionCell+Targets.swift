import VarveEncoding

extension Transaction {
  /// The object ids of a list of objects.
  func elementBits(of cell: CollectionCell) throws(Failure) -> [UInt64] {
    let collection = try cell.editedForReading(self)
    let list = try list(collection)
    return (0..<list.count).compactMap { list.bits(at: $0) }
  }
}
