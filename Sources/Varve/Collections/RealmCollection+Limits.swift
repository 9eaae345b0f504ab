import VarveCore
import VarveEncoding

extension RealmCollection {
  /// Returns at most `maximum` of the elements, starting at the index `offset`.
  ///
  /// Filters and sorts added to the result apply only to these elements. Observers of the result
  /// are notified of the elements that enter and leave the range.
  ///
  /// ```swift
  /// let oldest = people.sorted(by: \.age, ascending: false).limit(10)
  /// ```
  /// - Parameters:
  ///   - maximum: The maximum number of elements. A negative number counts as 0.
  ///   - offset: The number of elements to skip. A negative number counts as 0.
  /// - Precondition: The collection is managed.
  /// - Returns: The results, in the order of the collection.
  /// - Complexity: O(1); nothing is read yet. Where an index has the order, only the remaining
  ///   elements are read.
  public func limit(_ maximum: Int, offset: Int = 0) -> Results<Element> {
    queried.limited(by: ElementQuery.LimitClause(offset: offset, limit: maximum))
  }
}

extension Results {
  /// Returns the elements within a limit and offset.
  func limited(by clause: ElementQuery.LimitClause) -> Results {
    Results(handle.query.limited(by: clause), in: context)
  }

  /// Returns the query plan of these results: the indexes that are read, and the steps applied to
  /// the objects found there.
  ///
  /// ```swift
  /// print(people.where { $0.email == "ann@example.com" }.explain())
  /// // index email == "ann@example.com" (about 1)
  /// ```
  /// The plan is made for the version that is read now, from estimates that cost a few pages each.
  /// The query is not executed. Later versions may have another plan.
  ///
  /// - Returns: The plan. For an invalid query, a plan that contains the error message.
  public func explain() -> QueryPlan {
    do throws(Failure) {
      return QueryPlan(try handle.plannedSteps())
    } catch {
      return QueryPlan([.filter("\(error.message)")])
    }
  }
}
