extension Service {
  /// Every path that is answered; one list for each capability.
  static func routes(_ options: ServiceOptions) -> [Route] {
    let asking = infoRoutes + itemRoutes + searchRoutes + historyRoutes + eventRoutes + appendRoutes
    let keeping =
      importRoutes + snapshotRoutes + purgeRoutes + retentionRoutes + jobRoutes + migrationRoutes
    let feeds = feedRoutes + consumerRoutes + ruleRoutes
    let evidence = evidenceRoutes + tileRoutes + exportRoutes
    let watching = options.watchMode == .off ? [] : watchRoutes
    let assisting = options.hasAssistants ? assistantRoutes : []
    return asking + keeping + feeds + watching + assisting + evidence + pageRoutes
      + operationRoutes + descriptionRoutes
  }
}
