// This room lets an organization's administrators manage keys, access lists, groups, members and read usage.
export {};
