import Varve

/// The classes that the soak observes, identical to the declarations in
/// `Tests/VarveTestProcess/SoakCommands.swift`.
@Model final class Herd: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var size = 0
  @Persisted var label = ""
  @Persisted var marks: List<Int>
  @Persisted var cows: List<Cow>
  @Persisted var notes: Map<String, String>
  @Persisted var named: Map<String, Cow?>
  @Persisted(originProperty: "home") var residents: LinkingObjects<Cow>
}

@Model final class Cow: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var home: Herd?
}

extension Cow {
  /// The row of a cow in a mirror when every change counts, including changes of the home.
  var row: String {
    "\(id) \(name) \(age) \(home.map { "\($0.id) \($0.size) \($0.label)" } ?? "-")"
  }
  /// The row in a mirror when `age` is watched.
  var ageRow: String { "\(id) \(age)" }
  /// The row in a mirror when `home.size` is watched.
  var sizeRow: String { "\(id) \(home?.size ?? -1)" }
}
