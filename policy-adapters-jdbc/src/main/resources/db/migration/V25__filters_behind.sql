-- Where writing an index page by page costs more than all else, events are added to it later, many at a time.
${making_filters};
