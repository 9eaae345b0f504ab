import Varve

/// What the soak of observers watches, as `Tests/VarveTestProcess/SoakCommands.swift` has it.
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
  /// What a mirror knows of a cow when every change counts, up to the home.
  var row: String {
    "\(id) \(name) \(age) \(home.map { "\($0.id) \($0.size) \($0.label)" } ?? "-")"
  }
  /// What a mirror knows of it when `age` is watched.
  var ageRow: String { "\(id) \(age)" }
  /// What a mirror knows of it when `home.size` is watched.
  var sizeRow: String { "\(id) \(home?.size ?? -1)" }
}
