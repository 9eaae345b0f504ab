import VarveCore
import VarveEncoding

extension RealmCollection {
  /// Some of the elements, by their places: those after `offset`, and of these at most `maximum`.
  ///
  /// What is asked of the result afterwards, such as a condition or an order, is asked of these elements alone. Observers
  /// of it are told which elements come into the window and leave it.
  ///
  /// ```swift
  /// let oldest = people.sorted(by: \.age, ascending: false).limit(10)
  /// ```
  /// - Parameters:
  ///   - maximum: how many elements there may be; negative ones count as 0.
  ///   - offset: how many elements are left out before; negative ones count as 0.
  /// - Precondition: the collection is managed.
  /// - Returns: the results, in the order of the collection.
  /// - Complexity: O(1); nothing is read yet. Where an index has the order, only what is left is read.
  public func limit(_ maximum: Int, offset: Int = 0) -> Results<Element> {
    queried.limited(by: ElementQuery.LimitClause(offset: offset, limit: maximum))
  }
}

extension Results {
  /// The elements of a window of these.
  func limited(by clause: ElementQuery.LimitClause) -> Results {
    var query = handle.query
    query.limitClause = query.limitClause?.narrowed(by: clause) ?? clause
    return Results(query, in: context)
  }

  /// How these results are found: which indexes are read, and what is done with the objects of these.
  ///
  /// ```swift
  /// print(people.where { $0.email == "ann@example.com" }.explain())
  /// // index email == "ann@example.com" (about 1)
  /// ```
  /// The plan is made for the version that is read now, from estimates that cost a few pages each; nothing is found for
  /// it. Later versions may be answered in another way.
  ///
  /// - Returns: the plan. What cannot be asked gives one that says so.
  public func explain() -> QueryPlan {
    do throws(Failure) {
      return QueryPlan(try handle.plannedSteps())
    } catch {
      return QueryPlan([.filter("\(error.message)")])
    }
  }
}
