// This room fetches a real Kafka broker by Maven coordinates, starts it and creates the topics.
export {};
