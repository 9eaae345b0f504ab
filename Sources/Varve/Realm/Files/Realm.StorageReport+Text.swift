extension Realm.StorageReport: CustomStringConvertible {
  /// The numbers of bytes, and one line for each pinned version.
  public var description: String {
    let bytes =
      "\(totalBytes) bytes: \(liveBytes) live, \(freeBytes) free, \(pinnedBytes) pinned; "
      + "version \(newestVersion)"
    return ([bytes] + versions.map { "- \($0)" }).joined(separator: "\n")
  }
}

extension Realm.PinnedVersion: CustomStringConvertible {
  /// The version, its process, age, bytes and holders, in one line.
  public var description: String {
    var parts = ["version \(number) (\(distance) behind) of process \(processID)"]
    if let age, distance > 0 {
      parts.append("age \((age / .seconds(1) * 10).rounded() / 10) seconds")
    }
    if pinnedBytes > 0 { parts.append("\(pinnedBytes) bytes") }
    if !holders.isEmpty { parts.append(holders.map(\.description).joined(separator: "; ")) }
    return parts.joined(separator: ", ")
  }
}

extension Realm.PinHolder: CustomStringConvertible {
  /// The number, the kind, the subject and the call site, in a few words.
  public var description: String {
    var text = count == 1 ? "\(kind)" : "\(count) × \(kind)"
    if let subject { text += " of \(subject)" }
    if let place { text += " at \(place)" }
    return text
  }
}
