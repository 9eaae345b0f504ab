/// The two parts of a field `Name <address>`.
struct MaintainerField: Equatable, Sendable {
  var name: String

  /// The address; empty when the field has none.
  var address: String

  /// The identity of the maintainer: the address, or the name if there is no address.
  var key: String { address.isEmpty ? name : address }

  init(name: String, address: String) {
    self.name = name
    self.address = address
  }

  /// Parses a field. Quotes around the name are removed.
  init(_ field: String) {
    guard let open = field.lastIndex(of: "<"), let close = field[open...].firstIndex(of: ">")
    else {
      self.init(name: field.trimmingSpaceAndQuotes(), address: "")
      return
    }
    let address = String(field[field.index(after: open)..<close])
    let name = String(field[..<open]).trimmingSpaceAndQuotes()
    self.init(name: name.isEmpty ? address : name, address: address)
  }
}

extension String {
  fileprivate func trimmingSpaceAndQuotes() -> String {
    func isEdge(_ character: Character) -> Bool { character.isWhitespace || character == "\"" }
    var text = self[...].drop(while: isEdge)
    while let last = text.last, isEdge(last) { text.removeLast() }
    return String(text)
  }
}
