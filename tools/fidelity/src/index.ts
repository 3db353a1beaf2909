// This tool measures how faithfully requests and replies are translated; its specs write docs/fidelity.md.
