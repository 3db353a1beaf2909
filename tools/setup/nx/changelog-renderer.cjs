// Renders a version's changes for CHANGELOG.md. Our commits are `area: summary`, so the area takes the place that conventional
// commits give to feat and fix; Nx's own renderer would leave out every area that is not configured.
const { default: DefaultChangelogRenderer } = require('nx/release/changelog-renderer');

module.exports = class AreaChangelogRenderer extends DefaultChangelogRenderer {
  renderVersionTitle() {
    return `## [${this.changelogEntryVersion}] - ${new Date().toISOString().slice(0, 10)}`;
  }

  renderChangesByType() {
    const areas = [...new Set(this.relevantChanges.map(({ type }) => type))].sort();
    return areas.flatMap((area) => {
      const changes = this.relevantChanges.filter(({ type }) => type === area);
      return [
        '',
        `### ${area}`,
        '',
        ...changes.map(({ description, isBreaking }) => `- ${isBreaking ? '**breaking:** ' : ''}${description}`),
      ];
    });
  }

  /** Marked where they stand. */
  hasBreakingChanges() {
    return false;
  }

  shouldRenderAuthors() {
    return false;
  }
};
