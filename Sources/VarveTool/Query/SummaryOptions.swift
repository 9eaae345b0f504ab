/// The sums and groups that a command line requests.
struct SummaryOptions {
  enum Function: String {
    case sum
    case average
    case min
    case max
  }

  struct Aggregate {
    var function: Function
    var name: String
  }

  var count: Bool
  var aggregates: [Aggregate]
  var groupBy: [String]

  var isGrouped: Bool { !groupBy.isEmpty }
  var isPresent: Bool { count || isGrouped || !aggregates.isEmpty }
}
